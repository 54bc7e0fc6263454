/** Content of a request in any form. */
export interface Said {
  readonly sessionId: string
  readonly phoneNumber: string
  readonly serviceCode: string
  /** Empty for none. */
  readonly text: string
  /** True for a dial. */
  readonly begins: boolean
}

/** A way to say it. */
export interface ProviderForm {
  /** `plain`, or the provider's name. */
  readonly name: string
  make(said: Said): { method?: string; path: string; contentType?: string; body: string }
}

const form = (name: string, path: string, fields: (said: Said) => object): ProviderForm => ({
  name,
  make: said => ({ path, body: JSON.stringify(fields(said)) }),
})

const word = ({ begins }: Said, first: string, later: string) => (begins ? first : later)

/** All forms in which sessions are asked for. */
export const providerForms: readonly ProviderForm[] = [
  form('plain', '', ({ sessionId, phoneNumber, serviceCode, text }) => ({ sessionId, phoneNumber, serviceCode, text })),
  {
    name: 'africas-talking',
    make: ({ begins, ...fields }) => ({
      path: begins ? '/africas-talking' : '/africas-talking/events',
      contentType: 'application/x-www-form-urlencoded',
      body: new URLSearchParams({
        ...fields,
        ...(begins ? {} : { status: 'Failed', durationInMillis: '1' }),
      }).toString(),
    }),
  },
  form('arkesel', '/arkesel', said => ({
    sessionID: said.sessionId,
    msisdn: said.phoneNumber,
    newSession: said.begins,
    userData: said.text,
  })),
  form('beem', '/beem', said => ({
    command: said.text === '*' ? 'terminate' : word(said, 'initiate', 'continue'),
    msisdn: said.phoneNumber,
    session_id: said.sessionId,
    payload: { request_id: '1', response: said.text },
  })),
  form('emergent', '/emergent', said => ({
    Type: said.text === '*' ? 'Release' : word(said, 'Initiation', 'Response'),
    Mobile: said.phoneNumber,
    SessionId: said.sessionId,
    ServiceCode: said.serviceCode,
    Message: said.text,
  })),
  form('hubtel', '/hubtel', said => ({
    Type: said.text === '*' ? 'Release' : word(said, 'Initiation', 'Response'),
    Mobile: said.phoneNumber,
    SessionId: said.sessionId,
    ServiceCode: said.serviceCode,
    Message: said.text,
    Sequence: 20,
  })),
  {
    name: 'hollatags',
    make: said => ({
      method: 'GET',
      path: `/hollatags?${new URLSearchParams({
        session_operation: said.text === '*' ? 'end' : word(said, 'begin', 'continue'),
        session_id: said.sessionId,
        session_msisdn: said.phoneNumber,
        session_from: said.serviceCode,
        session_msg: said.text,
      })}`,
      body: '',
    }),
  },
  {
    name: 'infobip',
    make: said => ({
      path: `/infobip/session/${said.sessionId}/${said.text === '*' ? 'end' : word(said, 'start', 'response')}`,
      body: JSON.stringify({ msisdn: said.phoneNumber, text: said.text, shortCode: said.serviceCode }),
    }),
  },
  form('nalo', '/nalo', said => ({
    MSISDN: said.phoneNumber,
    SESSIONID: said.sessionId,
    MSGTYPE: said.begins,
    USERDATA: said.text,
  })),
  form('oltranz', '/oltranz', said => ({
    sessionId: said.sessionId,
    phoneNumber: said.phoneNumber,
    serviceCode: said.serviceCode,
    text: said.text,
    newRequest: Number(said.begins),
  })),
]
