import { isSecretName } from '@sibyl/plugin'
import type { ResolvedReference } from './resolve-references.ts'
import type { ServerMembers } from './server-members.ts'

/** Values shorter than this are words that a result may well have. */
const shortest = 8

/**
 * What a server is told and must not bring into a conversation: the values of headers, what references stood for, what
 * secret names have in its environment, and the query of its address. Folders and plain addresses are none: results are
 * full of them.
 */
export const serverSecrets = (
  { headers, env, url }: Pick<ServerMembers, 'headers' | 'env' | 'url'>,
  references: readonly ResolvedReference[],
): string[] => {
  const query = url !== undefined && URL.canParse(url) ? [...new URL(url).searchParams.values()] : []
  const values = [
    ...Object.values(headers).flatMap(value => [value, ...value.split(' ')]),
    ...references.filter(({ path }) => path[0] !== 'sibyl').map(({ value }) => value),
    ...Object.entries(env).flatMap(([name, value]) => (isSecretName(name) ? [value] : [])),
    ...query,
  ]
  return [...new Set(values)].filter(value => value.length >= shortest && !isFolder(value) && !isPlainUrl(value))
}

const isFolder = (value: string): boolean => /^(~|\.{1,2})?[/\\]|^[A-Za-z]:[/\\]/.test(value)

const isPlainUrl = (value: string): boolean => {
  const url = URL.canParse(value) ? new URL(value) : undefined
  return /^https?:$/.test(url?.protocol ?? '') && `${url?.username}${url?.password}${url?.search}` === ''
}
