import { config } from 'zod'

// The page's policy allows no code that is compiled at run time. Imported before everything that makes schemas.
config({ jitless: true })
