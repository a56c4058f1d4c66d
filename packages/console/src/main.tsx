import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { applyTheme, storedTheme } from './frame/theme.ts';
import { createConsoleRouter } from './router.tsx';
import { createServices, ServicesProvider } from './services/services.ts';
import { browserLanguage, setLanguage } from './words/use-words.ts';
import './style/index.css';

const services = createServices();
const router = createConsoleRouter(services.basePath === '' ? '/' : services.basePath);
const queries = new QueryClient({ defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: false } } });

applyTheme(storedTheme());
void setLanguage(browserLanguage());

const root = document.querySelector('#root');
if (!root) throw new Error('The page has no element for the console');
createRoot(root).render(
  <StrictMode>
    <ServicesProvider value={services}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ServicesProvider>
  </StrictMode>,
);
