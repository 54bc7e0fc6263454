import type { EnvVariable } from '@sibyl/core'

/** Variables of a project that the `sibyl` command reads, and the oracle does not. */
export const commandVariables: readonly EnvVariable[] = [
  {
    name: 'REGISTRY_URL',
    owner: 'sibyl',
    description: 'The registry of NETWORK=devnet, where it is another than `sibyl devnet` of this computer.',
    takes: 'URL',
    need: 'optional',
    default: 'http://localhost:4100',
    example: 'https://registry.example.org',
    secret: false,
  },
  {
    name: 'CHAIN_RPC_URL',
    owner: 'sibyl',
    description: 'The RPC node of the chain, with NETWORK=testnet and NETWORK=mainnet.',
    takes: 'URL',
    need: 'optional',
    example: 'https://rpc.example.org',
    secret: false,
  },
]
