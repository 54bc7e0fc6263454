import type { ApiClient } from './api-client.ts'
import { Problem } from './problem.ts'

/** Stores a file of the user. One with the same path becomes an old version, which can be restored. */
export const storeFile = async (api: ApiClient, path: string, file: File): Promise<void> => {
  const type = file.type === '' ? 'application/octet-stream' : file.type
  await replacing(async condition => {
    const headers = { 'content-type': type, ...condition }
    const response = await api.send('PUT', '/files/content', { query: { path }, body: file, headers })
    await response.body?.cancel()
  })
}

/** Restores an old version of a file of the user. */
export const restoreFile = (api: ApiClient, version: string): Promise<void> =>
  replacing(async headers => {
    await api.post(`/files/versions/${encodeURIComponent(version)}/restore`, { headers })
  })

/** Sends a request again for a path that is in use, so that its file is replaced. */
const replacing = async (send: (condition: Readonly<Record<string, string>>) => Promise<void>): Promise<void> => {
  try {
    await send({})
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'file_condition_missing') throw error
    await send({ 'if-match': '*' })
  }
}
