export { firecrawl } from './firecrawl.ts'
export type { FirecrawlOptions } from './firecrawl-options.ts'
