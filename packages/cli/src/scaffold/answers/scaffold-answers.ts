import type { PackageManager } from '../../package-manager/detect-package-manager.ts'
import type { SigningMethod } from '../../registry/controller.ts'
import type { OracleProfile } from '../../registry/oracle-entity.ts'
import type { Network } from '../../registry/registry-node.ts'

/** The templates of `sibyl new`; each is a folder of `templates/`. */
export const templateNames = ['minimal', 'weather', 'ussd', 'twins', 'web'] as const

export type TemplateName = (typeof templateNames)[number]

/** The answers for a new project; each is an option of `sibyl new`, and most are a question. */
export interface ScaffoldAnswers {
  readonly folder: string
  readonly template: TemplateName
  readonly signing: SigningMethod
  readonly network: Network
  readonly profile: OracleProfile
  /** The registry of `devnet`; by default that of this computer. */
  readonly registryUrl?: string | undefined
  /** The RPC address of the chain, for `testnet` and `mainnet`. */
  readonly rpcUrl?: string | undefined
  /** The address of the oracle in the registry. @default http://localhost:4000 */
  readonly apiUrl: string
  /** `PORT` of the project. @default 3000 */
  readonly port: number
  /** The homeserver of the messaging bot; undefined for none. */
  readonly matrixBaseUrl: string | undefined
  readonly packageManager: PackageManager
  /** Whether to register the oracle's entity. */
  readonly register: boolean
  /** Whether to create a git repository, unless the folder is in one. */
  readonly git: boolean
}
