import { pagePolicy } from '@sibyl/plugin'

/** The Content Security Policy of the pages: their own script and style, requests to their own origin, nothing else. */
export const sitePolicy: string = pagePolicy()

/** The policy of a page whose form is sent without a script, to its own origin. */
export const formPolicy: string = pagePolicy({ sendsForms: true })
