import type { OracleClient } from '@sibyl/client'
import type { FileUIPart } from 'ai'

/** Uploads a file into the user's folder at the oracle; the part names it in a message. */
export const upload = async (client: OracleClient, file: File): Promise<FileUIPart> => {
  const path = `uploads/${crypto.randomUUID().slice(0, 8)}/${file.name}`
  const url = `/files/content?path=${encodeURIComponent(path)}`
  const mediaType = file.type || 'application/octet-stream'
  const headers = { ...(await client.headers('files/write')), 'content-type': mediaType }
  const response = await fetch(client.url + url, { method: 'PUT', headers, body: file })
  if (!response.ok) throw new Error(await problemText(response))
  return { type: 'file', mediaType, filename: file.name, url }
}

/** Saves a file of a conversation: only its owner's key can read it, so it has no address that a link could use. */
export const download = async (client: OracleClient, url: string, name: string): Promise<void> => {
  const response = await fetch(new URL(url, client.url), { headers: await client.headers('files/read') })
  if (!response.ok) throw new Error(await problemText(response))
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await response.blob())
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

const problemText = async (response: Response): Promise<string> => {
  const problem = (await response.json().catch(() => ({}))) as { detail?: string; title?: string }
  return problem.detail ?? problem.title ?? `The oracle answered with status ${response.status}.`
}
