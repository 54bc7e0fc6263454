/** The configuration of zod, which is kept there for all its copies. */
const scope = globalThis as { __zod_globalConfig?: { readonly jitless?: boolean } }

// The policy of the page forbids code from text, which schemas would compile. Load this before the modules that create them:
// zod itself is too large for the first view, which has no schemas.
scope.__zod_globalConfig = { ...scope.__zod_globalConfig, jitless: true }
