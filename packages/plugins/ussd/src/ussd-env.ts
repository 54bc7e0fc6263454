import { sealingVariables } from '@sibyl/plugin/sealing'
import { z } from 'zod'
import { gatewayEnv } from './gateway/gateway-env.ts'
import { sessionEnv } from './sessions/session-env.ts'

const words = (longest: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(longest)
    .regex(/^[^{}]*$/, 'must have no braces')
    .optional()

const menuEnv = {
  USSD_ABOUT: words(1000).meta({
    description: 'What About this service shows in the default USSD menus, on as many pages as it needs.',
    example: 'Weather and prices for farmers in Lusaka Province.',
    defaultText: "the oracle's description",
  }),
  USSD_PRICING: words(1000).meta({
    description: 'What Pricing shows in the default USSD menus.',
    example: 'Questions are free. Your network may charge for the call.',
    defaultText: 'the price of oracle.config.json',
  }),
  USSD_DELIVERY: words(1000).meta({
    description: 'What Delivery shows in the default USSD menus.',
    example: 'Stoves are brought to your village every Tuesday.',
    defaultText: 'how answers arrive',
  }),
  USSD_SUPPORT_CONTACT: words(60).meta({
    description: 'How callers reach the operator, such as for a new PIN.',
    example: '+260 211 123456',
  }),
}

const questionsEnv = {
  USSD_ANSWER_HOURS: z.coerce.number().int().min(1).max(720).default(24).meta({
    description: "How many hours a caller's last question to the oracle and its answer can be read again.",
  }),
}

export const ussdEnv = z.object({ ...sealingVariables, ...gatewayEnv, ...sessionEnv, ...menuEnv, ...questionsEnv })

export type UssdEnv = z.output<typeof ussdEnv>
