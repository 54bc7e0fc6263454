export type { FirecrawlOptions } from './embedded-parts.ts'
export { firecrawl } from './firecrawl.ts'
