import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { DidDocument, ServiceToken } from '@sibyl/protocol'
import type { AnyTransaction, Jobs, Storage } from '@sibyl/storage'
import type { Actor } from '../actors/actor.ts'
import type { OracleKey } from '../identity/oracle-key.ts'
import type { StoredBytes, StoredSpace } from '../limits/counted-rows.ts'
import type { OriginOf, ShareOf } from '../limits/limit-shares.ts'
import type { PlaceLimits, Places } from '../limits/places.ts'
import type { RateVerdict } from '../limits/rate-verdict.ts'
import type { LineLimits, WaitingLine } from '../limits/waiting-line.ts'
import type { Logger } from '../logging/logger.ts'
import type { PersonalData } from '../privacy/personal-data.ts'
import type { Clock } from '../time/clock.ts'
import type { Refusal, Turns } from '../turns/turn.ts'

/** The identity of the oracle for plugins, which never see the key. */
export interface HostIdentity {
  /** The did:key; undefined without a signing mnemonic. */
  readonly did: string | undefined
  /** The public address of the oracle, without a slash at its end: `PUBLIC_URL`, or the one on this computer. */
  readonly url: string
  /** The did:web, resolvable at `url`. */
  readonly publicDid: string
  /**
   * The DID URL of the key in the document of `publicDid`, for proofs: `<publicDid>#z6Mk…`; undefined without a
   * mnemonic.
   */
  readonly verificationMethod: string | undefined
  /** Returns every current and previous signing key of the oracle on this database, oldest first. */
  keys(): Promise<readonly OracleKey[]>
  /** Returns the DID document of `publicDid`, as in `/.well-known/did.json`, including previous keys. */
  document(): Promise<DidDocument>
  /** Signs with the Ed25519 key of the oracle. Throws `signing_key_missing` without a mnemonic. */
  sign(bytes: Uint8Array): Promise<Uint8Array>
  /**
   * Mints an invocation for another service. With `onBehalfOf` it acts there as that person, if their delegation has
   * `auth/impersonate`, which a resource `oracle:<did>` requires: without it another oracle treats this one as the
   * actor. Throws `signing_key_missing` without a mnemonic, and `delegation_missing` (403) when that person has not
   * posted a matching delegation.
   */
  mintInvocation(request: {
    readonly audience: string
    readonly resource: string
    readonly abilities: readonly string[]
    /** Delegations that authorize it, including that of the user. */
    readonly proofs?: readonly string[]
    /**
     * The person whose delegation authorizes it: stored by `POST /delegation`, valid, for that resource and those
     * abilities.
     */
    readonly onBehalfOf?: { readonly did: string }
    /** At most 900. @default 60 */
    readonly lifetimeSeconds?: number
  }): Promise<string>
  /** Returns the pairwise did:key of a person on a channel, such as a phone number. Throws `signing_key_missing`. */
  pairwiseDid(channel: string, subject: string): string
}

/** The public profile of the oracle. */
export interface OracleProfile {
  readonly name: string
  /** Its purpose, in one sentence. */
  readonly description?: string | undefined
  /** The price of a conversation, as text. */
  readonly price?: string
}

/** A plugin or a capability that the agent can use, by its manifest. */
export interface HostCapability {
  readonly name: string
  readonly title: string
  readonly summary: string
  readonly whenToUse: readonly string[]
  readonly tags: readonly string[]
  /** Messages of users, as examples; `{city}` stands for a value. */
  readonly examples: readonly string[]
}

/** The access policy of the oracle. */
export interface HostAccess {
  /**
   * `delegated`: the oracle or one of its controllers granted the abilities of a UCAN. `open`: any signer grants them
   * to itself, so that they do not prove a right.
   */
  readonly mode: 'open' | 'delegated'
  /** The DIDs of `ORACLE_CONTROLLERS`. */
  readonly controllers: readonly string[]
  /** Returns whether a DID, in any form, is the oracle or one of its controllers. */
  isTrusted(did: string): boolean
}

/** Checks whether stored authorizations are still valid. */
export interface HostGrants {
  /**
   * Checks the source of an authorization: no link of its chain is revoked or expired, its root is still the oracle or
   * a controller, its API key is still listed. Later work stores its actor, checks it before it acts and stops when the
   * authorization has ended. `turns.run` checks it too.
   *
   * @returns the actor with at most the current scopes of its API key; or the rejection: `grant_revoked`,
   * `grant_expired` or `grant_removed`
   * @example const verdict = await host.grants.check(stored.actor) if (!verdict.holds) return
   * stop(verdict.refusal.code)
   */
  check(actor: Actor): Promise<GrantVerdict>
  /**
   * Returns whether the operator granted the rights of an actor: their root is the oracle or a controller, an API key of
   * the environment, or a credential that the operator issued. Only then do its `operator/…` abilities apply.
   */
  isOfOperator(actor: Actor): boolean
}

/** Limits of a plugin by its own keys, such as a phone number or an account. */
export interface HostLimits {
  /**
   * Counts one use: in a minute, which starts with the first use, a key never gets more than `perMinute`, over all
   * processes of one database. While the database fails, each process counts alone.
   *
   * @param use.name The limited resource: `sms-codes`. Names are separate for each plugin.
   * @param use.key The subject. It is in the database for the minute: hash personal data.
   * @param use.perMinute At least 1.
   * @example const { allowed, endsInMs } = await host.limits.take({ name: 'codes', key: account, perMinute: 3 })
   */
  take(use: { readonly name: string; readonly key: string; readonly perMinute: number }): Promise<RateVerdict>
  /**
   * Creates slots in this process that callers share, such as open connections: a maximum per holder, a share per
   * address with `ORACLE_ACCESS=open`, and a reserve for API keys and controllers.
   *
   * @example const streams = host.limits.places({ capacity: 500, perHolder: 20 }) const place = streams.take(actor) if
   * ('full' in place) throw new TooManyStreams()
   */
  places(limits: PlaceLimits): Places
  /** Creates a queue of work in this process with shared slots. */
  line(limits: LineLimits): WaitingLine
  /**
   * Returns the share of an actor in a common limit, for counts in the database.
   *
   * @example const { holder, origin, ofAll, ofOrigin } = host.limits.shareOf(actor, 1_000)
   */
  readonly shareOf: ShareOf
  /**
   * Adds bytes to what users store in conversations and beside them, for `CONVERSATIONS_QUOTA_MB` and
   * `CONVERSATIONS_TOTAL_MB`, in the transaction that stores or deletes them. Call it last in the transaction.
   *
   * @param stored The bytes by owner; negative for what is deleted.
   * @example await host.limits.countStored(tx, [{ did: owner, bytes: Buffer.byteLength(body) }])
   */
  countStored(tx: AnyTransaction, stored: readonly StoredBytes[]): Promise<void>
  /**
   * Returns the counter of the bytes that users store in this plugin, with limits of its own; 0 means unlimited.
   *
   * @example const space = host.limits.space({ perHolder: 100_000_000, total: 20_000_000_000 })
   */
  space(limits: { readonly perHolder: number; readonly total: number }): StoredSpace
  /** Returns the `origin` of an actor that a plugin creates, from `c.get('clientAddress')`. */
  readonly originOf: OriginOf
}

/** The personal data of the oracle, in core and all plugins with `personalRecords`. */
export interface HostPeople {
  /** Returns the stored data of a person, by `sessions` and plugin name. Rejects when a plugin fails. */
  export(did: string): Promise<Readonly<Record<string, PersonalData>>>
  /**
   * Returns data as the body of a response in JSON, written as it is read. Two run at the same time, one of a person:
   * others reject with `export_running`. A failure of `read` rejects, a later one ends the stream with an error.
   *
   * @example c.body(await host.people.stream(did, () => host.people.export(did)), 200, jsonHeaders)
   */
  stream(did: string, read: () => Promise<PersonalData>): Promise<ReadableStream<Uint8Array>>
  /** Rejects if the data of a person cannot be erased: `person_held` under a legal hold, `person_is_oracle`. */
  assertErasable(did: string): Promise<void>
  /**
   * Stops everything that runs for a person and erases their data permanently; may be called again. Each part is tried
   * even if others fail, and the promise rejects when one failed.
   */
  erase(did: string): Promise<void>
}

/** The interface of the oracle for a plugin. `Env` is the output of its schema, `Tables` that of its migrations. */
export interface Host<Env = unknown, Tables = object> {
  readonly env: Readonly<Env>
  readonly oracle: OracleProfile
  /** Returns the plugins and capabilities that the agent can use now, without adapters; empty during the setup. */
  capabilities(): readonly HostCapability[]
  /** `NODE_ENV`: `development` by default. */
  readonly environment: string
  /**
   * Returns a variable that a file of the operator names, such as `${NOTES_TOKEN}`; its value is then secret, and
   * redacted in the log, in errors and in inspections. Variables that core or a plugin declares are returned unchanged;
   * undefined if it is blank, declared as a secret, or has a password in its URL.
   */
  variable(name: string): string | undefined
  /** The access policy, for rights beyond the identity of the caller. */
  readonly access: HostAccess
  readonly log: Logger
  readonly clock: Clock
  readonly identity: HostIdentity
  /** `read` queries, `write` changes: the promise of `write` resolves once the change is on disk. */
  readonly storage: Pick<Storage<Tables>, 'engine' | 'read' | 'write'>
  readonly jobs: Jobs
  readonly turns: Turns
  readonly grants: HostGrants
  readonly limits: HostLimits
  readonly people: HostPeople
  /**
   * When the database was last found restored from a backup, in milliseconds since 1970: reservations from before may
   * have been assigned again after the backup.
   */
  readonly restoredAt: number | undefined
  /** Returns a language model: `main` answers users; `utility` is for small tasks and defaults to `main`. */
  model(role: 'main' | 'utility'): Promise<LanguageModelV4>
  /** Returns the service of a plugin in `requires`; a boot error if none provides it. */
  service<Service>(token: ServiceToken<Service>): Service
  /** Returns the service of a plugin in `uses`; undefined if it is not loaded. */
  optionalService<Service>(token: ServiceToken<Service>): Service | undefined
  /** Starts work that boot does not wait for: pending, then loaded or failed in the boot log and in `/capabilities`. */
  background(name: string, start: (signal: AbortSignal) => Promise<void>): void
  /** Aborts when the shutdown begins, before connections are closed: for endless responses. */
  readonly ending: AbortSignal
}

/** The verdict on the source of an authorization. */
export type GrantVerdict =
  /** The actor, with at most the current scopes of the source. */
  | { readonly holds: true; readonly actor: Actor }
  /** 403 with `grant_revoked`, `grant_expired` or `grant_removed`. */
  | { readonly holds: false; readonly refusal: Refusal }
