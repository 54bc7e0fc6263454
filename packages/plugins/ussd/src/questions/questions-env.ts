import { z } from 'zod'

/** Variables of this part of the plugin. */
export const questionsEnv = {
  USSD_ANSWER_HOURS: z.coerce.number().int().min(1).max(720).default(24).meta({
    description: "How many hours a caller's last question to the oracle and its answer can be read again.",
  }),
}
