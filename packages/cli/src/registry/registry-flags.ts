import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Network, networks } from './registry-node.ts'

/** The flags of every command that acts at a registry. */
export interface RegistryFlags {
  readonly network?: Network
  readonly registryUrl?: string
  readonly rpcUrl?: string
  readonly json?: boolean
}

/** Adds `RegistryFlags` to a command. */
export const addRegistryFlags = (command: Command): Command =>
  command
    .addOption(
      new Option('--network <network>', "where to act (default: the project's or NETWORK, else devnet)").choices(
        networks,
      ),
    )
    .option('--registry-url <url>', 'the registry of a devnet (default: REGISTRY_URL, else that of this computer)')
    .option('--rpc-url <url>', "a chain's RPC, on testnet and mainnet (default: CHAIN_RPC_URL)")
    .option('--json', 'one JSON object on stdout, also where it fails')

/** A name with its value, as a flag gives them: `serial=A-17`. */
export interface NamedValue {
  readonly name: string
  readonly value: string
}

/** Takes one more `name=value` of an option that may be repeated. */
export const addNamedValue = (text: string, earlier: readonly NamedValue[] = []): readonly NamedValue[] => {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('Expected name=value.')
  return [...earlier, { name: text.slice(0, at), value: text.slice(at + 1) }]
}

/** A service, as a flag gives it: `api=OracleApi=http://localhost:4000`. */
export interface NamedService {
  readonly id: string
  readonly type: string
  readonly endpoint: string
}

/** Takes one more `id=type=url` of an option that may be repeated; the id with its `#` or without. */
export const addService = (text: string, earlier: readonly NamedService[] = []): readonly NamedService[] => {
  const [, id, type, endpoint] = /^#?([^=#]+)=([^=]+)=(.+)$/s.exec(text) ?? []
  if (id === undefined || type === undefined || endpoint === undefined) {
    throw new InvalidArgumentError('Expected id=type=url, such as api=OracleApi=http://localhost:4000.')
  }
  return [...earlier, { id: `#${id}`, type, endpoint }]
}

/** Takes one more text of an option that may be repeated. */
export const addText = (text: string, earlier: readonly string[] = []): readonly string[] => [...earlier, text]

/** Takes an idempotency key, which goes into a header of HTTP. */
export const parseIdempotencyKey = (text: string): string => {
  if (/^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(text)) return text
  throw new InvalidArgumentError('Expected 1 to 255 characters of ASCII.')
}
