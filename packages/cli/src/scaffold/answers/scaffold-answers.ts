import type { PackageManager } from '../../package-manager/detect-package-manager.ts'
import type { SigningMethod } from '../../registry/controller.ts'
import type { OracleProfile } from '../../registry/oracle-entity.ts'
import type { Network } from '../../registry/registry-node.ts'

/** The projects that `sibyl new` can make; each is a folder of `templates/`. */
export const templateNames = ['minimal', 'weather', 'ussd', 'twins', 'web'] as const

export type TemplateName = (typeof templateNames)[number]

/** Everything that a new project is made from; each is a flag of `sibyl new` and, but for a few, a question. */
export interface ScaffoldAnswers {
  readonly folder: string
  readonly template: TemplateName
  readonly signing: SigningMethod
  readonly network: Network
  readonly profile: OracleProfile
  /** The registry of `devnet`; without one that of this computer. */
  readonly registryUrl?: string | undefined
  /** The chain's RPC, for `testnet` and `mainnet`. */
  readonly rpcUrl?: string | undefined
  /** Where the registry lists the oracle. @default http://localhost:4000 */
  readonly apiUrl: string
  /** `PORT` of the project. @default 3000 */
  readonly port: number
  /** The homeserver of the messaging bot; undefined for none. */
  readonly matrixBaseUrl: string | undefined
  readonly packageManager: PackageManager
  /** Whether to register the oracle's entity. */
  readonly register: boolean
  /** Whether to begin a git repository, where the folder is in none. */
  readonly git: boolean
}
