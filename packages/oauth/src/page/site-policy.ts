import { pagePolicy } from '@sibyl/plugin'

/** The Content Security Policy of the pages: their own script and style, requests to their own origin, nothing else. */
export const sitePolicy: string = pagePolicy()
