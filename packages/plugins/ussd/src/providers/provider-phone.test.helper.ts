import type { OracleApp } from '@sibyl/core'
import { phoneForms } from '../phone/phone-forms.ts'
import type { UssdReply } from '../requests/ussd-request.ts'

/** A phone on the network of one provider. */
export interface ProviderPhone {
  dial(): Promise<ProviderScreen>
  answer(text: string): Promise<ProviderScreen>
}

/** The screen of the phone. */
export interface ProviderScreen extends UssdReply {
  /** Status of the HTTP response. */
  readonly status: number
}

/** The `x-gateway-secret` of the phone's gateway. */
export const gatewaySecret = 'known-to-gateways-alone-1234567'

/**
 * Creates a phone with the form of a provider and its own session; its user takes some milliseconds to read.
 *
 * @param secret Secret of its gateway; empty for an unknown gateway.
 */
export const providerPhone = (app: OracleApp, name: string, secret = gatewaySecret): ProviderPhone => {
  const form = phoneForms.find(one => one.name === name)
  if (form === undefined) throw new Error(`no form of ${name} is known here`)
  const sessionId = crypto.randomUUID()
  const answers: string[] = []
  const send = async () => {
    const call = { sessionId, phoneNumber: '+233244123456', serviceCode: '*1234#', answers }
    const { method, path, headers, body } = form.request(call)
    const response = await app.request(path, {
      method,
      headers: { ...headers, ...(secret && { 'x-gateway-secret': secret }) },
      ...(body === undefined ? {} : { body }),
    })
    const reply = form.read(await response.text())
    if (reply === undefined) throw new Error(`the reply is not in the form of ${name}`)
    return { ...reply, status: response.status }
  }
  return {
    dial: send,
    async answer(text) {
      await new Promise(resolve => setTimeout(resolve, 5))
      answers.push(text)
      return send()
    },
  }
}
