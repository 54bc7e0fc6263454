export { type CollectedSpan, startOtlpCollector } from './otlp-collector.ts'
