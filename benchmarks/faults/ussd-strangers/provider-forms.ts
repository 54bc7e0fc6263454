/** Content of a request in any form. */
export interface Message {
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
  make(content: Message): { method?: string; path: string; contentType?: string; body: string }
}

const form = (name: string, path: string, fields: (content: Message) => object): ProviderForm => ({
  name,
  make: content => ({ path, body: JSON.stringify(fields(content)) }),
})

const word = ({ begins }: Message, first: string, later: string) => (begins ? first : later)

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
  form('arkesel', '/arkesel', content => ({
    sessionID: content.sessionId,
    msisdn: content.phoneNumber,
    newSession: content.begins,
    userData: content.text,
  })),
  form('beem', '/beem', content => ({
    command: content.text === '*' ? 'terminate' : word(content, 'initiate', 'continue'),
    msisdn: content.phoneNumber,
    session_id: content.sessionId,
    payload: { request_id: '1', response: content.text },
  })),
  form('emergent', '/emergent', content => ({
    Type: content.text === '*' ? 'Release' : word(content, 'Initiation', 'Response'),
    Mobile: content.phoneNumber,
    SessionId: content.sessionId,
    ServiceCode: content.serviceCode,
    Message: content.text,
  })),
  form('hubtel', '/hubtel', content => ({
    Type: content.text === '*' ? 'Release' : word(content, 'Initiation', 'Response'),
    Mobile: content.phoneNumber,
    SessionId: content.sessionId,
    ServiceCode: content.serviceCode,
    Message: content.text,
    Sequence: 20,
  })),
  {
    name: 'hollatags',
    make: content => ({
      method: 'GET',
      path: `/hollatags?${new URLSearchParams({
        session_operation: content.text === '*' ? 'end' : word(content, 'begin', 'continue'),
        session_id: content.sessionId,
        session_msisdn: content.phoneNumber,
        session_from: content.serviceCode,
        session_msg: content.text,
      })}`,
      body: '',
    }),
  },
  {
    name: 'infobip',
    make: content => ({
      path: `/infobip/session/${content.sessionId}/${content.text === '*' ? 'end' : word(content, 'start', 'response')}`,
      body: JSON.stringify({ msisdn: content.phoneNumber, text: content.text, shortCode: content.serviceCode }),
    }),
  },
  form('nalo', '/nalo', content => ({
    MSISDN: content.phoneNumber,
    SESSIONID: content.sessionId,
    MSGTYPE: content.begins,
    USERDATA: content.text,
  })),
  form('oltranz', '/oltranz', content => ({
    sessionId: content.sessionId,
    phoneNumber: content.phoneNumber,
    serviceCode: content.serviceCode,
    text: content.text,
    newRequest: Number(content.begins),
  })),
]
