/**
 * Names a service that one plugin offers and another asks for, so that plugins need not import each other.
 *
 * @example
 * export const smsSender = serviceToken<SmsSender>('sms-sender')
 */
export interface ServiceToken<Service> {
  readonly name: string
  /** Carries the type only; never set. */
  readonly service?: Service
}

/** Makes a token; two tokens of one name are the same service. */
export const serviceToken = <Service>(name: string): ServiceToken<Service> => ({ name })

/** The service that a token names: `ServiceOf<typeof smsSender>`. */
export type ServiceOf<Token> = Token extends ServiceToken<infer Service> ? Service : never
