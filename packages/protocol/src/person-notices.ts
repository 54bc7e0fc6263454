import type { CountedActor } from './counted-actor.ts'
import { type ServiceToken, serviceToken } from './service-token.ts'

/** Where a notice goes. */
export interface NoticeAddress {
  /** A reference for `send`, opaque to other plugins: they store no phone number. */
  readonly to: string
  /** The same as people and logs may see it: `+26097•••4567`, `Field team`. */
  readonly shown: string
}

/** A channel on which people are told something that they did not ask for just now. */
export interface PersonNotices {
  /**
   * Where a notice for a person would go.
   *
   * @param request.to A phone number, a room's id or alias, as somebody typed it; without it the person's own phone or room.
   * @throws ToolFailure with a text for people, where there is none or they may not write there.
   */
  addressOf(request: { readonly did: string; readonly to?: string }): Promise<NoticeAddress>
  /**
   * Takes a notice in; resolves once it is stored, sending follows. Whether the person may write there is looked at again.
   *
   * @param notice.to As `addressOf` gave it.
   * @param notice.idempotencyKey Two notices of one key are one, also after a restart.
   * @throws ToolFailure as `addressOf` does
   */
  send(notice: {
    readonly did: string
    /** Who causes it, as limits count them. @default the person themselves */
    readonly actor?: CountedActor
    readonly to: string
    readonly text: string
    readonly idempotencyKey: string
  }): Promise<void>
}

/** Notices by SMS. @example host.optionalService(smsNotices) */
export const smsNotices: ServiceToken<PersonNotices> = serviceToken('sms-notices')

/** Notices in Matrix rooms. @example host.optionalService(matrixNotices) */
export const matrixNotices: ServiceToken<PersonNotices> = serviceToken('matrix-notices')
