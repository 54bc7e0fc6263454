import type { Logger } from '@sibyl/plugin'
import type { ActivityClaim, ClaimSubmission, SmsSender, UserPreferences } from '@sibyl/protocol'
import type { FlowContext, Text } from '../flow/flow.ts'
import type { FlowServices } from '../flow/flow-services.ts'
import type { DefaultTexts, Language } from '../languages/language.ts'

/** What the menus of the default flow are made of. */
export interface MenuKit extends Pick<FlowServices, 'customers' | 'phones' | 'questions'> {
  readonly languages: readonly [Language, ...Language[]]
  /** The words of that name in every language. */
  text(name: keyof DefaultTexts): Text
  /** The DID that a caller acts as; undefined while the oracle has no signing key. */
  didOf(context: Pick<FlowContext, 'phoneNumber'>): string | undefined
  /** Carries one-time codes and receipts; undefined where no plugin sends SMS. */
  readonly sms: SmsSender | undefined
  readonly claims: ClaimSubmission | undefined
  readonly preferences: UserPreferences | undefined
  readonly log: Logger
}

/** What an activity is reported as. */
export const reportedActivity: ActivityClaim['type'] = 'activity'
