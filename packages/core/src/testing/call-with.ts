import { type ScriptedStep, scriptedModel } from '@sibyl/models/testing'
import { authSchemas } from '@sibyl/protocol'
import { type TestApp, testApp } from '@sibyl/testing'
import type { z } from 'zod'

/** Calls an oracle with the given credential; a `json` object becomes the body. */
export const callWith = (
  { app }: Pick<TestApp, 'app'>,
  credential: string | undefined,
  method: string,
  path: string,
  json?: unknown,
): Promise<Response> =>
  app.request(path, {
    method,
    headers: {
      ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  })

/** Exchanges an invocation for a bearer. */
export const exchange = async (
  oracle: Pick<TestApp, 'app'>,
  invocation: string,
  request?: object,
): Promise<z.infer<typeof authSchemas.bearerRecord>> => {
  const answer = await callWith(oracle, invocation, 'POST', '/auth/token', request)
  if (answer.status !== 200) throw new Error(`The exchange was answered with ${answer.status}: ${await answer.text()}`)
  return authSchemas.bearerRecord.parse(await answer.json())
}

/** Creates an oracle whose clock advances on request only. */
export const oracleAt = async (
  options: { readonly env?: Record<string, string>; readonly steps?: readonly ScriptedStep[] } = {},
): Promise<{ oracle: TestApp; pass(seconds: number): void; [Symbol.asyncDispose](): Promise<void> }> => {
  let time = Date.now()
  const oracle = await testApp({
    plugins: [],
    clock: { now: () => time },
    model: scriptedModel(options.steps ?? ['fine']),
    ...(options.env ? { env: options.env } : {}),
  })
  return {
    oracle,
    pass(seconds) {
      time += seconds * 1000
    },
    [Symbol.asyncDispose]: () => oracle.app.close(),
  }
}
