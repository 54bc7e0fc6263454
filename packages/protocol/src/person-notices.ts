import type { CountedActor } from './counted-actor.ts'
import { type ServiceToken, serviceToken } from './service-token.ts'

/** Where a notice goes. */
export interface NoticeAddress {
  /** A reference for `send`, opaque to other plugins: they store no phone number. */
  readonly to: string
  /** The same as people and logs may see it: `+26097•••4567`, `Field team`. */
  readonly shown: string
}

/** A channel for notifications to a person. */
export interface PersonNotices {
  /**
   * Returns the address of a notice for a person.
   *
   * @param request.to A phone number, or the id or alias of a room, as typed by a user; by default the phone or room of
   * the person.
   * @throws ToolFailure with a text for users, if there is no address or they may not write there.
   */
  addressOf(request: { readonly did: string; readonly to?: string }): Promise<NoticeAddress>
  /**
   * Enqueues a notice; resolves once it is stored, and it is sent later. Whether the person may write there is checked
   * again.
   *
   * @param notice.to As returned by `addressOf`.
   * @param notice.idempotencyKey Notices with the same key are one, also after a restart.
   * @throws ToolFailure like `addressOf`
   */
  send(notice: {
    readonly did: string
    /** The actor for limits. @default the person themselves */
    readonly actor?: CountedActor
    readonly to: string
    readonly text: string
    readonly idempotencyKey: string
  }): Promise<void>
}

const notices = (name: string): ServiceToken<PersonNotices> => serviceToken(name)

/** Notices by SMS and in Matrix rooms. @example host.optionalService(personNotices.sms) */
export const personNotices = { sms: notices('sms-notices'), matrix: notices('matrix-notices') } as const
