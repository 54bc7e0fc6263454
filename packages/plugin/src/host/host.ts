import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { DidDocument, JsonObject, ServiceToken } from '@sibyl/protocol'
import type { Jobs, Storage } from '@sibyl/storage'
import type { Actor } from '../actors/actor.ts'
import type { OracleKey } from '../identity/oracle-key.ts'
import type { OriginOf, ShareOf } from '../limits/limit-shares.ts'
import type { PlaceLimits, Places } from '../limits/places.ts'
import type { RateVerdict } from '../limits/rate-verdict.ts'
import type { LineLimits, WaitingLine } from '../limits/waiting-line.ts'
import type { Logger } from '../logging/logger.ts'
import type { Clock } from '../time/clock.ts'
import type { Refusal, Turns } from '../turns/turn.ts'

/** The oracle's identity as plugins may use it: they never see the key. */
export interface HostIdentity {
  /** The did:key; undefined while no signing mnemonic is loaded. */
  readonly did: string | undefined
  /** The did:web, resolvable at `PUBLIC_URL`. */
  readonly publicDid: string
  /** The DID URL of the key in the document of `publicDid`, for proofs: `<publicDid>#z6Mk…`; undefined without a mnemonic. */
  readonly verificationMethod: string | undefined
  /** Every key that the oracle signs with or has signed with on this database, the first one first. */
  keys(): Promise<readonly OracleKey[]>
  /** The DID document of `publicDid`, as `/.well-known/did.json` has it: keys that are retired are in it too. */
  document(): Promise<DidDocument>
  /** Signs with the oracle's Ed25519 key. Throws `signing_key_missing` without a mnemonic. */
  sign(bytes: Uint8Array): Promise<Uint8Array>
  /**
   * Mints an invocation for a downstream service. With `onBehalfOf` it acts there as that person where their delegation
   * names `auth/impersonate`, which a resource `oracle:<did>` needs: without it another oracle takes this one for the actor.
   * Throws `signing_key_missing` without a mnemonic, and
   * `delegation_missing` (403) when it is to be on behalf of somebody who has not posted a delegation for it.
   */
  mintInvocation(request: {
    readonly audience: string
    readonly resource: string
    readonly abilities: readonly string[]
    /** Delegations that prove the right, the user's among them. */
    readonly proofs?: readonly string[]
    /** Whose delegation proves the right: kept by `POST /delegation`, good now, for that resource and those abilities. */
    readonly onBehalfOf?: { readonly did: string }
    /** At most 900. @default 60 */
    readonly lifetimeSeconds?: number
  }): Promise<string>
  /** The pairwise did:key of a person on a channel, such as a phone number. Throws `signing_key_missing`. */
  pairwiseDid(channel: string, subject: string): string
}

/** How the oracle presents itself. */
export interface OracleProfile {
  readonly name: string
  /** What it is for, in one sentence. */
  readonly description?: string
  /** What a conversation costs, in words. */
  readonly price?: string
}

/** Whose word counts here. */
export interface HostAccess {
  /**
   * `delegated`: the abilities of a UCAN were given by the oracle or one of its controllers. `open`: whoever signs gives
   * them to himself, so that they prove no right.
   */
  readonly mode: 'open' | 'delegated'
  /** The DIDs of `ORACLE_CONTROLLERS`. */
  readonly controllers: readonly string[]
}

/** Whether rights that were stored still hold. */
export interface HostGrants {
  /**
   * Checks the source of an actor's right: no link of its chain revoked or expired, its root still the oracle or a
   * controller, its API key still listed. Work that runs later stores its actor, checks it before it acts and stops where
   * the right has ended. `turns.run` checks it too.
   *
   * @returns the actor with no more scopes than its API key has now; or the refusal: `grant_revoked`, `grant_expired` or
   * `grant_removed`
   * @example
   * const verdict = await host.grants.check(stored.actor)
   * if (!verdict.holds) return stop(verdict.refusal.code)
   */
  check(actor: Actor): Promise<GrantVerdict>
}

/** What a plugin counts by a key of its own, such as a phone number or an account. */
export interface HostLimits {
  /**
   * Counts one use: in a minute, which begins with the first, a key never gets more than `perMinute`, over all processes on
   * one database. While the database fails, each process counts by itself.
   *
   * @param use.name What is limited: `sms-codes`. Each plugin has its own names.
   * @param use.key Whose it is. It stands in the database for the minute: hash what is personal.
   * @param use.perMinute At least 1.
   * @example
   * const { allowed, endsInMs } = await host.limits.take({ name: 'codes', key: account, perMinute: 3 })
   */
  take(use: { readonly name: string; readonly key: string; readonly perMinute: number }): Promise<RateVerdict>
  /**
   * Makes places in this process that callers share, such as connections that stay open: some for each holder, a share for
   * each address with `ORACLE_ACCESS=open`, and a reserve for API keys and controllers.
   *
   * @example
   * const streams = host.limits.places({ capacity: 500, perHolder: 20 })
   * const place = streams.take(actor)
   * if ('full' in place) throw new TooManyStreams()
   */
  places(limits: PlaceLimits): Places
  /** Makes a line of work that waits for a place to run in this process, shared in the same way. */
  line(limits: LineLimits): WaitingLine
  /**
   * Returns how much of a cap for all an actor may use, for counts that are kept in the database.
   *
   * @example
   * const { holder, origin, ofAll, ofOrigin } = host.limits.shareOf(actor, 1_000)
   */
  readonly shareOf: ShareOf
  /** Returns the `origin` for an actor that a plugin makes itself, by `c.get('clientAddress')`. */
  readonly originOf: OriginOf
}

/** What the oracle keeps of people, over core and all plugins with `personalRecords`. */
export interface HostPeople {
  /** All that is kept of a person, by `sessions` and the names of plugins. Rejects where a plugin cannot tell. */
  export(did: string): Promise<JsonObject>
  /**
   * Ends what runs for a person and erases all of it for good; may be called again. Each part is tried whatever becomes of
   * the others, and it rejects when one failed.
   */
  erase(did: string): Promise<void>
}

/** What a plugin gets from the oracle that runs it. `Env` is what its schema parsed, `Tables` what its migrations made. */
export interface Host<Env = unknown, Tables = object> {
  readonly env: Readonly<Env>
  readonly oracle: OracleProfile
  /** `NODE_ENV`: `development` unless the operator says otherwise. */
  readonly environment: string
  /**
   * The value of a variable that a file of the operator's names, such as `${NOTES_TOKEN}`; it is a secret from then on, and
   * struck out of the log, of errors and of inspections. One that core or a plugin declares is given as it is; undefined
   * when it is blank, and for a variable that is declared as a secret or has a password in its URL.
   */
  variable(name: string): string | undefined
  /** Whom to believe, where a right is more than being somebody. */
  readonly access: HostAccess
  readonly log: Logger
  readonly clock: Clock
  readonly identity: HostIdentity
  /** `read` reads, `write` changes: a promise of `write` resolves once it is on disk. */
  readonly storage: Pick<Storage<Tables>, 'engine' | 'read' | 'write'>
  readonly jobs: Jobs
  readonly turns: Turns
  readonly grants: HostGrants
  readonly limits: HostLimits
  readonly people: HostPeople
  /**
   * When the database was last found restored from a backup, in milliseconds since 1970: what was reserved before may have
   * been given away after the backup.
   */
  readonly restoredAt: number | undefined
  /** `main` answers people; `utility` is for small chores and falls back to `main`. */
  model(role: 'main' | 'utility'): Promise<LanguageModelV4>
  /** The service of a plugin in `requires`; a boot error when nobody offers it. */
  service<Service>(token: ServiceToken<Service>): Service
  /** The service of a plugin in `uses`; undefined when it is not there. */
  optionalService<Service>(token: ServiceToken<Service>): Service | undefined
  /** Starts something that boot does not wait for: pending, then loaded or failed in the boot log and in `/capabilities`. */
  background(name: string, start: (signal: AbortSignal) => Promise<void>): void
  /** Aborts when the oracle begins to end, before connections are cut: for answers that would go on without an end. */
  readonly ending: AbortSignal
}

/** The verdict on the source of an actor's right. */
export type GrantVerdict =
  /** The actor, with no more scopes than the source gives now. */
  | { readonly holds: true; readonly actor: Actor }
  /** 403 with `grant_revoked`, `grant_expired` or `grant_removed`. */
  | { readonly holds: false; readonly refusal: Refusal }
