import { config } from 'zod/v4/core'

// The policy of the page forbids code from text, which schemas would compile. Load this before the modules that create them.
config({ jitless: true })
