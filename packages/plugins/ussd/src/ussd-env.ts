import { sealingVariables } from '@sibyl/plugin/sealing'
import { z } from 'zod'
import { menuEnv } from './default-flow/menu-env.ts'
import { gatewayEnv } from './gateway/gateway-env.ts'
import { questionsEnv } from './questions/questions-env.ts'
import { sessionEnv } from './sessions/session-env.ts'

/** Variables of the plugin. */
export const ussdEnv = z.object({ ...sealingVariables, ...gatewayEnv, ...sessionEnv, ...menuEnv, ...questionsEnv })

export type UssdEnv = z.output<typeof ussdEnv>
