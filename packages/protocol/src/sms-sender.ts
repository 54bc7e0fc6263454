import { type ServiceToken, serviceToken } from './service-token.ts'

/** A message to a phone. */
export interface SmsMessage {
  /** E.164 with its plus: `+260971234567`. */
  readonly to: string
  /** 1 to 1,600 characters; long ones are sent in parts. */
  readonly text: string
  /** Whether its text is a secret, such as a one-time code: it is blotted out of what operators see once it was sent. @default false */
  readonly sensitive?: boolean
  /** Two messages of one key are one: the same call again, also after a restart, sends nothing. */
  readonly idempotencyKey: string
}

/** Sends SMS. */
export interface SmsSender {
  /** Takes a message in; resolves once it is stored, sending follows. Rejects where it cannot be taken in. */
  send(message: SmsMessage): Promise<void>
}

/** The service of the plugin that sends SMS. @example host.optionalService(smsSender)?.send({ to, text, idempotencyKey }) */
export const smsSender: ServiceToken<SmsSender> = serviceToken('sms-sender')
