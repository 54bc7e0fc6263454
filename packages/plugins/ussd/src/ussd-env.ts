import { sealingVariables } from '@sibyl/plugin/sealing'
import { z } from 'zod'
import { menuEnv } from './default-flow/menu-env.ts'
import { gatewayEnv } from './gateway/gateway-env.ts'
import { sessionEnv } from './sessions/session-env.ts'

/** Variables of questions to the oracle. */
const questionsEnv = {
  USSD_ANSWER_HOURS: z.coerce.number().int().min(1).max(720).default(24).meta({
    description: "How many hours a caller's last question to the oracle and its answer can be read again.",
  }),
}

/** Variables of the plugin. */
export const ussdEnv = z.object({ ...sealingVariables, ...gatewayEnv, ...sessionEnv, ...menuEnv, ...questionsEnv })

export type UssdEnv = z.output<typeof ussdEnv>
