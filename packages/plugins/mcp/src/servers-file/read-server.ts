import type { McpServerAddress } from '@sibyl/mcp-client'
import { personalAbility } from '@sibyl/plugin'
import { isSecretName } from '@sibyl/plugin/host'
import { isObject } from '@sibyl/protocol'
import type { z } from 'zod'
import type { FileViolation } from './file-violations.ts'
import { type ResolvedReference, resolveReferences } from './resolve-references.ts'
import { type ServerEntry, type ServerIdentity, type ServerMembers, serverMembers } from './server-entry.ts'

type Violation = Omit<FileViolation, 'server'>
type Checked<Value> = Value | { readonly fault: Violation }

/** Result of reading a server; without an entry it is disabled. */
export type ReadServer = { readonly entry?: ServerEntry } | { readonly faults: readonly Violation[] }

/**
 * Reads one server of the file.
 *
 * @param title Its name as written.
 * @param variable Returns the value of a variable for references.
 */
export const readServer = (
  title: string,
  given: unknown,
  variable: (name: string) => string | undefined,
): ReadServer => {
  if (!isObject(given)) {
    return { faults: [{ fault: 'It is not an object. Write { "command": … } or { "url": … }.' }] }
  }
  if ('disabled' in given && given.disabled === true) return {}
  const known = Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(serverMembers.shape, name)))
  const resolved = resolveReferences(known, variable)
  const parsed = serverMembers.safeParse(resolved.value, { error: memberViolation })
  const violations: Violation[] = resolved.faults.map(({ path, fault }) => ({ member: path.join('.'), fault }))
  for (const { path, message } of parsed.error?.issues ?? []) {
    const member = path.join('.')
    if (!violations.some(known => known.member === member)) violations.push({ member, fault: `It ${message}.` })
  }
  const name = serverName(title)
  if (name === undefined)
    violations.push({
      fault: 'Its name must begin with a letter and have at most 40 letters, digits and hyphens. Rename it.',
    })
  if (!parsed.success) return { faults: violations }
  const members = parsed.data
  const address = addressOf(members)
  const identity = identityOf(members)
  for (const part of [address, identity]) {
    if ('fault' in part && !violations.some(({ member }) => member === part.fault.member && member !== undefined))
      violations.push(part.fault)
  }
  if (name === undefined || 'fault' in address || 'fault' in identity || violations.length > 0)
    return { faults: violations }
  const {
    tools,
    approval,
    ability = [`mcp/${name}`, personalAbility],
    trusted,
    timeoutSeconds,
    summary,
    whenToUse,
    whenNotToUse,
    tags,
    examples,
  } = members.sibyl
  return {
    entry: {
      name,
      title,
      address,
      identity,
      approval,
      ability,
      trusted,
      timeoutSeconds,
      ...(tools ? { tools } : {}),
      manifest: {
        ...(summary === undefined ? {} : { summary }),
        ...(whenToUse ? { whenToUse } : {}),
        ...(whenNotToUse ? { whenNotToUse } : {}),
        ...(tags ? { tags } : {}),
        ...(examples ? { examples } : {}),
      },
      secrets: serverSecrets(members, resolved.references),
    },
  }
}

const addressOf = ({ command, args, env, cwd, url, headers, type }: ServerMembers): Checked<McpServerAddress> => {
  if (command !== undefined && url !== undefined)
    return { fault: { fault: 'It has both a command and a url. Remove one.' } }
  if (command !== undefined) {
    if (type !== undefined && type !== 'stdio')
      return { fault: { member: 'type', fault: `It is '${type}', but a command uses stdio. Remove it.` } }
    return { kind: 'stdio', command, args, env, ...(cwd === undefined ? {} : { cwd }) }
  }
  if (url === undefined) return { fault: { fault: 'It has neither a command nor a url. Add one.' } }
  if (type === 'stdio') return { fault: { member: 'type', fault: "It is 'stdio', but a url uses HTTP. Remove it." } }
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (!parsed || !/^https?:$/.test(parsed.protocol))
    return {
      fault: { member: 'url', fault: `It is not a URL (${url.length} characters). Write https://… or http://…` },
    }
  if (parsed.username !== '' || parsed.password !== '')
    return { fault: { member: 'url', fault: 'It contains a user name or password. Move them to headers.' } }
  const way = type === 'sse' ? 'sse' : type === 'streamable-http' ? 'streamable' : 'auto'
  return { kind: 'http', url, headers, way }
}

const identityOf = ({ url, headers, sibyl }: ServerMembers): Checked<ServerIdentity> => {
  const { identity, audience, resource, abilities } = sibyl
  if (identity === 'oracle') return { kind: 'oracle' }
  const violation = (text: string) => ({ fault: { member: 'sibyl.identity', fault: text } })
  if (url === undefined) return violation("It is 'caller', which needs a url, because a local program has no callers.")
  if (Object.keys(headers).some(name => name.toLowerCase() === 'authorization'))
    return violation(
      "It is 'caller', so the header Authorization is created for each user. Remove it from the headers.",
    )
  if (audience === undefined || resource === undefined || abilities === undefined)
    return violation("It is 'caller', which needs audience, resource and abilities. Add them.")
  return { kind: 'caller', audience, resource, abilities }
}

/**
 * Returns the name of a server's capability: lower case, with single hyphens in place of other characters.
 *
 * @returns undefined if that is not a valid name: 1 to 40 characters, starting with a letter
 */
export const serverName = (written: string): string | undefined => {
  const name = written
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return name.length <= 40 && /^[a-z]/.test(name) ? name : undefined
}

const kinds: Readonly<Record<string, string | undefined>> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  record: 'an object',
  object: 'an object',
}

/** Returns the problem of a member without its value; undefined if its schema has a message. */
const memberViolation = (issue: z.core.$ZodRawIssue): string | undefined => {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kinds[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`
    case 'unrecognized_keys':
      return `has unknown members: ${issue.keys.map(key => key.slice(0, 40)).join(', ')}`
    case 'invalid_key':
      return issue.issues[0]?.message
    case 'too_small':
      return issue.origin === 'number' ? `must be at least ${issue.minimum}` : 'is too short'
    case 'too_big':
      return issue.origin === 'number' ? `must be at most ${issue.maximum}` : 'is too long'
    default:
      return undefined
  }
}

/** Shorter values are words that a result may contain. */
const shortest = 8

/**
 * Returns the values that were sent to a server and must not appear in a conversation: headers, resolved references,
 * environment variables with secret names, and the query of its URL. Folders and plain URLs are not secret, because
 * results often contain them.
 */
const serverSecrets = (
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
