import { IdParams, ListMediaFiles, MediaFile, MediaFileBody, MediaFilePage } from '@tocsin/contract';
import { Type } from 'typebox';
import { answerRead } from '../http/answer.ts';
import { collectionRoutes } from '../http/collection.routes.ts';
import type { HttpApp } from '../http/http-app.ts';
import { requireWholeTenant } from '../http/principal.ts';
import { notFound } from '../problem.ts';
import type { Runtime } from '../runtime.ts';
import {
  deleteMediaFile,
  findMediaFile,
  insertMediaFile,
  listMediaFiles,
  readMediaContent,
  updateMediaFile,
} from './media-file.store.ts';
import { attachmentDisposition, mediaContent, mediaFileToWire } from './media-file.wire.ts';

export function mediaFileRoutes(app: HttpApp, runtime: Runtime): void {
  collectionRoutes(app, runtime, {
    path: 'mediafiles',
    noun: 'media file',
    permission: { read: 'plant:read', write: 'plant:write' },
    schema: { item: MediaFile, page: MediaFilePage, body: MediaFileBody, query: ListMediaFiles },
    list: async ({ transaction }, query, page) => {
      const { rows, total } = await listMediaFiles(transaction, query, page);
      return { items: rows.map(mediaFileToWire), total };
    },
    find: async ({ transaction }, id, options) => {
      const row = await findMediaFile(transaction, id, options);
      return row && { item: mediaFileToWire(row), version: row.version };
    },
    create: async ({ transaction, principal }, body) => {
      requireWholeTenant(principal);
      return insertMediaFile(transaction, mediaContent(body));
    },
    replace: async ({ transaction, principal }, id, body) => {
      requireWholeTenant(principal);
      return updateMediaFile(transaction, id, mediaContent(body));
    },
    remove: async ({ transaction, principal }, id) => {
      requireWholeTenant(principal);
      return deleteMediaFile(transaction, id);
    },
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
