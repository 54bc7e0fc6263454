import { sealingKeyCommand, sealingVariables } from '@sibyl/plugin/sealing'
import { z } from 'zod'
import { priceForm } from '../text/times-price.ts'
import { isTimeZone, readQuietHours } from '../time/quiet-hours.ts'

const serviceUrl = z.url({ protocol: /^https?$/ }).max(500)
const someText = z.string().min(1).max(500)

/** Schema of an API key for a header. */
const apiKey = z
  .string()
  .trim()
  .max(500)
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')

export const smsEnv = z
  .object({
    SMS_PROVIDER: z.enum(['africastalking', 'infobip', 'kannel', 'embedded:']).optional().meta({
      description:
        'Carrier of SMS: `africastalking`, `infobip`, `kannel` (a gateway to any SMPP carrier), or `embedded:`, an outbox in the database that the operator reads. Blank disables the plugin.',
      example: 'embedded:',
    }),
    SMS_FROM: z
      .string()
      .regex(
        /^(?:\+?[0-9]{3,15}|[A-Za-z0-9 ._-]{1,11})$/,
        'must be a number, a short code or a name of at most 11 characters',
      )
      .optional()
      .meta({
        description:
          'Sender of SMS: a short code, a number or a sender name. Required with `infobip`; other providers default to the sender of the account.',
        example: '20880',
      }),
    AFRICASTALKING_USERNAME: someText.optional().meta({
      description:
        "The app's user name at Africa's Talking; `sandbox` for its sandbox. Required with `africastalking`.",
      example: 'sandbox',
    }),
    AFRICASTALKING_API_KEY: apiKey.optional().meta({
      description: "The app's API key at Africa's Talking. Required with `africastalking`.",
      secret: true,
    }),
    AFRICASTALKING_BASE_URL: serviceUrl.default('https://api.africastalking.com').meta({
      description: "Base URL of Africa's Talking; `https://api.sandbox.africastalking.com` for its sandbox.",
      example: 'https://api.sandbox.africastalking.com',
    }),
    INFOBIP_BASE_URL: serviceUrl.optional().meta({
      description: 'Base URL of the account at Infobip. Required with `infobip`.',
      example: 'https://xxxxx.api.infobip.com',
    }),
    INFOBIP_API_KEY: apiKey.optional().meta({
      description: "The account's API key at Infobip. Required with `infobip`.",
      secret: true,
    }),
    KANNEL_BASE_URL: serviceUrl.default('http://127.0.0.1:13013').meta({
      description: "Base URL of Kannel's smsbox, which serves `/cgi-bin/sendsms` (`sendsms-port`).",
      example: 'http://127.0.0.1:13013',
    }),
    KANNEL_USERNAME: someText.optional().meta({
      description: 'The `username` of a `sendsms-user` of Kannel. Required with `kannel`.',
      example: 'sibyl',
    }),
    KANNEL_PASSWORD: someText.optional().meta({
      description: "That user's `password`. Required with `kannel`.",
      secret: true,
    }),
    KANNEL_CALLBACK_URL: serviceUrl.optional().meta({
      description: 'URL at which Kannel reaches this oracle for delivery reports. Blank requests none.',
      example: 'http://127.0.0.1:4000',
    }),
    SMS_INBOUND_SECRET: z
      .string()
      .min(16, 'must have at least 16 characters')
      .max(200)
      .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')
      .optional()
      .meta({
        description:
          'Secret that authenticates calls of the provider: at least 16 characters, entered in its console. Required with a provider.',
        secret: true,
      }),
    SMS_PRICE_PER_PART: z
      .string()
      .trim()
      .regex(priceForm, 'must be an amount in decimals, such as 0.80')
      .optional()
      .meta({
        description: 'Price of one part of an SMS, for the question before one is sent. Blank: no price is shown.',
        example: '0.80',
      }),
    SMS_CURRENCY: z.string().trim().min(1).max(10).default('USD').meta({
      description: 'The currency of that price, as shown to users.',
      example: 'KES',
    }),
    SMS_QUIET_HOURS: z
      .string()
      .refine(text => readQuietHours(text) !== undefined, 'must be two times of day, such as 21:00-07:00')
      .optional()
      .meta({
        description:
          'Quiet hours, in which notices wait: from and until, in the time zone of the recipient. Blank: no quiet hours.',
        example: '21:00-07:00',
      }),
    SMS_TIME_ZONE: z.string().refine(isTimeZone, 'must be the IANA name of a time zone').default('UTC').meta({
      description: 'The time zone for the quiet hours of people who have not set one.',
      example: 'Africa/Lusaka',
    }),
    SMS_MAX_PER_PERSON_PER_DAY: z.coerce.number().int().min(1).max(10_000).default(50).meta({
      description: 'Most SMS in 24 hours that one user causes: sent by them, notices for them, answers to them.',
      example: '50',
    }),
    SMS_MAX_TO_OTHERS_PER_DAY: z.coerce.number().int().min(0).max(1_000_000).default(500).meta({
      description: 'Most SMS in 24 hours that all users together send to phones of others, because each costs money.',
      example: '500',
    }),
    SMS_INBOUND_PER_MINUTE: z.coerce.number().int().min(1).max(1_000).default(6).meta({
      description: 'Most SMS of one phone per minute that are answered; others are stored without an answer.',
      example: '6',
    }),
    PIN_ENCRYPTION_KEY: sealingVariables.PIN_ENCRYPTION_KEY.optional().meta({
      description:
        'Encrypts stored phone numbers: 32 bytes as hex or base64, or a text of at least 32 characters. Blank: a key that is derived from `ORACLE_MNEMONIC`.',
      example: `the output of: ${sealingKeyCommand}`,
      secret: true,
    }),
    PIN_ENCRYPTION_OLD_KEYS: sealingVariables.PIN_ENCRYPTION_OLD_KEYS,
    SMS_KEEP_DAYS: z.coerce.number().int().min(1).max(3_650).default(90).meta({
      description: 'Retention of messages and phone numbers, in days.',
      example: '90',
    }),
  })
  .superRefine((env, context) => {
    for (const variable of needed[env.SMS_PROVIDER ?? 'embedded:'])
      if (env[variable] === undefined)
        context.addIssue({
          code: 'custom',
          path: [variable],
          message: `must be set because SMS_PROVIDER is ${env.SMS_PROVIDER}`,
        })
  })

export type SmsEnv = z.output<typeof smsEnv>

/** Variables that each provider requires. */
const needed = {
  africastalking: ['AFRICASTALKING_USERNAME', 'AFRICASTALKING_API_KEY', 'SMS_INBOUND_SECRET'],
  infobip: ['INFOBIP_BASE_URL', 'INFOBIP_API_KEY', 'SMS_FROM', 'SMS_INBOUND_SECRET'],
  kannel: ['KANNEL_USERNAME', 'KANNEL_PASSWORD', 'SMS_INBOUND_SECRET'],
  'embedded:': [],
} as const
