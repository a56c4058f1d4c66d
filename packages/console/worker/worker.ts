import { openCall, showMessage } from './messages.ts';
import { answerFile, answerPage, dropOldShells, keepShell } from './shell.ts';

declare const self: ServiceWorkerGlobalScope;

/**
 * The service worker of the page for telephones. It keeps the files of that page for times without a connection, and shows
 * messages while no page is open. Everything else, the desk and the interface included, goes to the server untouched.
 */
self.addEventListener('install', (event) => {
  event.waitUntil(keepShell().then(() => self.skipWaiting()));
});
self.addEventListener('activate', (event) => {
  event.waitUntil(dropOldShells().then(() => self.clients.claim()));
});
self.addEventListener('fetch', (event) => {
  const answer = event.request.mode === 'navigate' ? answerPage(event.request) : answerFile(event.request);
  if (answer) event.respondWith(answer);
});
self.addEventListener('push', (event) => {
  event.waitUntil(showMessage(self.registration, event.data));
});
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openCall(self.clients, event.notification.data));
});
