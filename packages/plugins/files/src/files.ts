import { definePlugin, provide } from '@sibyl/plugin'
import { objectLocation } from '@sibyl/plugin/storage'
import { personFiles } from '@sibyl/protocol'
import { filesEnv, filesLimits } from './definitions/files-env.ts'
import type { FilesTables } from './definitions/files-tables.ts'
import { filesMigrations } from './definitions/files-tables.ts'
import { openContents } from './disk/open-contents.ts'
import { fileTools } from './file-tools.ts'
import { contentRoutes } from './http/content-routes.ts'
import { listRoutes } from './http/list-routes.ts'
import { SignedLinks } from './http/signed-links.ts'
import { signedRoutes } from './http/signed-routes.ts'
import { manifest } from './manifest.ts'
import { personFilesOf } from './person-files.ts'
import { filesRecords } from './personal-records.ts'
import { FileStore } from './store/file-store.ts'
import { listContents } from './store/list-contents.ts'
import { scheduleSweep } from './store/sweep-files.ts'
import { PdfReader, pdfLine } from './text/pdf-reader.ts'

/** Concurrent uploads to an object store: each collects a part of up to 8 MiB in memory. */
const objectUploads = { capacity: 50, perHolder: 8 }

/**
 * Stores a folder of files for each user. Other plugins use it through the token `personFiles` of `@sibyl/protocol`,
 * core for the attachments of chat messages.
 *
 * @example
 * await createOracleApp({ config, plugins: [files()] })
 */
export const files = () =>
  definePlugin<typeof filesEnv, FilesTables>({
    name: 'files',
    version: '0.1.0',
    core: '^0.1.0',
    manifest,
    env: filesEnv,
    migrations: filesMigrations,
    ownedFiles: env => ({
      directory: env.FILES_DIR,
      ...(env.FILES_URL !== undefined && { objects: objectLocation(env.FILES_URL, env) }),
      list: listContents,
    }),
    async setup({ storage, env, clock, log, jobs, identity, limits: shared }) {
      const { disk, reason } = await openContents(env, storage)
      const limits = filesLimits(env)
      const space = shared.space({ perHolder: limits.quotaBytes, total: limits.totalBytes })
      const uploads = env.FILES_URL === undefined ? undefined : shared.places(objectUploads)
      const store = new FileStore({ storage, disk, limits, clock, space, log, uploads, shareOf: shared.shareOf })
      await scheduleSweep({ storage, disk, limits, jobs, clock, log, space })
      const pdfs = new PdfReader({ line: shared.line(pdfLine) })
      const links = new SignedLinks({ identity, clock })
      const parts = { storage, store, limits, pdfs }
      return {
        tools: fileTools(parts),
        routes: [...listRoutes(parts), ...contentRoutes(parts), ...signedRoutes({ storage, store, links })],
        services: [provide(personFiles, personFilesOf({ storage, store, pdfs, links }))],
        personalRecords: filesRecords({ storage, disk, jobs, space, pdfs }),
        state: () => (reason() === undefined ? 'ready' : 'degraded'),
        reason,
        dispose: () => pdfs.close(),
      }
    },
  })
