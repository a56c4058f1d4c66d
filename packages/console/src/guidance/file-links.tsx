import { useQuery } from '@tanstack/react-query';
import type { MediaFile } from '@tocsin/contract';
import { useServices } from '../services/services.ts';
import { useMay } from '../services/use-may.ts';
import { useWords } from '../words/use-words.ts';

/** The files of the media library by their names. */
function useFiles(names: readonly string[]): ReadonlyMap<string, number> | undefined {
  const { api } = useServices();
  const read = async () => {
    const found = new Map<string, number>();
    for (const name of names) {
      const query = { search: `"${name.replaceAll('"', ' ')}"`, limit: 100 };
      const { data } = await api.get<{ items: MediaFile[] }>('/mediafiles', query);
      const file = data.items.find((item) => item.name === name);
      if (file) found.set(name, file.id);
    }
    return found;
  };
  const enabled = useMay().has('plant:read');
  return useQuery({ queryKey: ['guidance-files', ...names], queryFn: read, enabled, staleTime: 60_000 }).data;
}

/** Files are behind the token, so a link is a button that downloads. */
export function FileLinks({ names }: { readonly names: readonly string[] }) {
  const words = useWords().alarm;
  const { session, basePath } = useServices();
  const files = useFiles(names);
  const download = async (name: string, id: number) => {
    const authorization = `Bearer ${await session.accessToken()}`;
    const answer = await fetch(`${basePath}/api/v1/mediafiles/${id}/content`, { headers: { authorization } });
    if (!answer.ok) return;
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await answer.blob());
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };
  return names.map((name) => {
    const id = files?.get(name);
    if (id === undefined) return <span key={name}>{files ? words.fileMissing(name) : name}</span>;
    return (
      <button key={name} type="button" className="lnk" onClick={() => void download(name, id)}>
        {name}
      </button>
    );
  });
}
