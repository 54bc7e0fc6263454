export { firecrawl } from './firecrawl.ts'
