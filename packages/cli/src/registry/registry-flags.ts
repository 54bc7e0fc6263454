import { InvalidArgumentError } from 'commander'
import { jsonOption } from '../command/common-options.ts'
import type { OptionsOf } from '../command/define-command.ts'
import { networks } from './registry-node.ts'

export const registryAddressOptions = {
  registryUrl: {
    value: '<url>',
    summary: 'the registry of devnet (default: REGISTRY_URL, otherwise a local one)',
  },
  rpcUrl: { value: '<url>', summary: 'the RPC node of testnet and mainnet (default: CHAIN_RPC_URL)' },
} as const

/** Options of every command that uses a registry. */
export const registryOptions = {
  network: {
    value: '<network>',
    choices: networks,
    summary: "where to act (default: the project's or NETWORK, else devnet)",
  },
  ...registryAddressOptions,
  ...jsonOption,
} as const

export type RegistryFlags = OptionsOf<typeof registryOptions>

/** A name with its value, as an option has them: `serial=A-17`. */
export interface NamedValue {
  readonly name: string
  readonly value: string
}

export const parseNamedValue = (text: string): NamedValue => {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('Expected name=value.')
  return { name: text.slice(0, at), value: text.slice(at + 1) }
}

/** A service, as an option has it: `api=OracleApi=http://localhost:4000`. */
export interface NamedService {
  readonly id: string
  readonly type: string
  readonly endpoint: string
}

/** Parses `id=type=url`; the id with its `#` or without. */
export const parseService = (text: string): NamedService => {
  const [, id, type, endpoint] = /^#?([^=#]+)=([^=]+)=(.+)$/s.exec(text) ?? []
  if (id === undefined || type === undefined || endpoint === undefined) {
    throw new InvalidArgumentError('Expected id=type=url, such as api=OracleApi=http://localhost:4000.')
  }
  return { id: `#${id}`, type, endpoint }
}
