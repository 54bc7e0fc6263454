import { z } from 'zod'

/** The variables of webhooks. */
export const changesEnv = {
  ENTITIES_WEBHOOK_PRIVATE: z.enum(['on', 'off']).default('off').meta({
    description:
      'Whether webhooks may be sent to loopback and private networks: `on` or `off`. Only where everybody who may register one is trusted there.',
  }),
}
