import { config } from 'zod/v4/core'

// The policy of the page forbids code from text; `ai` creates schemas with zod, which would try it.
config({ jitless: true })
