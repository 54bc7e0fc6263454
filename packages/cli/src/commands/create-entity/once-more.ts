import { shellWord } from '../../output/shell-word.ts'
import type { CreateEntityOptions } from './create-entity-options.ts'

/** The most characters of a command that is shown in full. */
const maxLength = 500

/**
 * The same call with its idempotency key, as it can be pasted into a shell. An address is left out where its path may hold a
 * key, and where that or the length of a value is in the way, the key stands alone.
 */
export const onceMore = (options: CreateEntityOptions, idempotencyKey: string): string => {
  const { property = [], service = [], relationship = [], rpcUrl } = options
  const named = (flag: string, given: typeof property) => given.map(({ name, value }) => [flag, `${name}=${value}`])
  const flags: readonly (readonly (string | undefined)[])[] = [
    ['--type', options.type],
    ['--protocol', options.protocol],
    ...named('--property', property),
    ...service.map(({ id, type, endpoint }) => ['--service', `${id.slice(1)}=${type}=${endpoint}`]),
    ...named('--relationship', relationship),
    ['--controller', options.controller],
    ['--file', options.file],
    ['--network', options.network],
    ['--registry-url', options.registryUrl],
    ['--rpc-url', rpcUrl],
    ['--idempotency-key', idempotencyKey],
  ]
  const words = flags.flatMap(([flag, value]) => (value === undefined ? [] : [`${flag}=${shellWord(value)}`]))
  const command = [
    'sibyl create-entity',
    ...(options.oracle ? ['--oracle'] : []),
    ...words,
    ...(options.json ? ['--json'] : []),
  ].join(' ')
  const mayHoldKey = rpcUrl !== undefined && new URL(rpcUrl).origin !== rpcUrl.replace(/\/$/, '')
  if (!mayHoldKey && command.length <= maxLength) return command
  return `the same command with --idempotency-key ${shellWord(idempotencyKey)}`
}
