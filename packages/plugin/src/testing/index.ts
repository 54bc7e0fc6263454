export { type RecordedLine, type RecordedLogger, recordedLogger } from './recorded-logger.ts'
