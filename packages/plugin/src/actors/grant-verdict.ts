import type { Refusal } from '../turns/turn.ts'
import type { Actor } from './actor.ts'

/** The verdict on the source of an actor's right. */
export type GrantVerdict =
  /** The actor, with no more scopes than the source gives now. */
  | { readonly holds: true; readonly actor: Actor }
  /** 403 with `grant_revoked`, `grant_expired` or `grant_removed`. */
  | { readonly holds: false; readonly refusal: Refusal }
