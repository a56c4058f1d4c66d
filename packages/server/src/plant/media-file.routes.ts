import { IdParams, ListMediaFiles, MediaFile, MediaFileBody, MediaFilePage } from '@tocsin/contract';
import { Type } from 'typebox';
import { notFound } from '../common/problem.ts';
import { answerRead } from '../http/answer.ts';
import { collectionRoutes } from '../http/collection.routes.ts';
import { tenantCollection } from '../http/collection-access.ts';
import type { HttpApp } from '../http/http-app.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { mediaFileStore, readMediaContent } from './media-file.store.ts';
import { attachmentDisposition, mediaContent, mediaFileToWire } from './media-file.wire.ts';

export function mediaFileRoutes(app: HttpApp, runtime: Runtime): void {
  collectionRoutes(app, runtime, {
    path: 'mediafiles',
    noun: 'media file',
    permission: { read: 'plant:read', write: 'plant:write' },
    schema: { item: MediaFile, page: MediaFilePage, body: MediaFileBody, query: ListMediaFiles },
    ...tenantCollection({
      ...mediaFileStore,
      insert: (transaction, body: MediaFileBody) => mediaFileStore.insert(transaction, mediaContent(body)),
      update: (transaction, id, body) => mediaFileStore.update(transaction, id, mediaContent(body)),
      toWire: mediaFileToWire,
    }),
  });
  contentRoute(app, runtime);
}

const FileContent = Type.Unsafe<Buffer>({
  type: 'string',
  format: 'binary',
  description: 'The bytes of the file, in its own content type.',
});

function contentRoute(app: HttpApp, runtime: Runtime): void {
  app.get(
    '/api/v1/mediafiles/:id/content',
    {
      config: { permission: 'plant:read' },
      schema: {
        tags: ['mediafiles'],
        summary: 'Download a media file',
        produces: ['application/octet-stream'],
        params: IdParams,
        response: { 200: FileContent },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const file = await answerRead(runtime, request, (transaction) => readMediaContent(transaction, id));
      if (!file) throw notFound('media file', id);
      return reply
        .headers({ etag: `"${file.sha256}"`, 'content-disposition': attachmentDisposition(file.name) })
        .type(file.contentType)
        .send(file.content);
    },
  );
}
