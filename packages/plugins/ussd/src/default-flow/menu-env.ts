import { z } from 'zod'

const words = (longest: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(longest)
    .regex(/^[^{}]*$/, 'must have no braces')
    .optional()

/** Variables of the default flow. */
export const menuEnv = {
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
