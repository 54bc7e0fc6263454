import { Center, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FittingQr } from '../../components/fitting-qr.tsx'
import { QrCode } from '../../components/qr-code.tsx'

/** A QR code with the whole credential, or with its id if the credential is too long. */
export const CredentialQr = ({ id, document }: { readonly id: string; readonly document: unknown }) => {
  const { t } = useTranslation('twins')
  const label = t('credentials.qr')
  return (
    <Center>
      <FittingQr
        text={JSON.stringify(document)}
        label={label}
        note={t('credentials.qrWhole')}
        otherwise={
          <Stack gap="xs" align="center">
            <QrCode text={id} label={label} size="14rem" border={4} />
            <Text size="sm" c="dimmed" maw="28rem" ta="center">
              {t('credentials.qrId')}
            </Text>
          </Stack>
        }
      />
    </Center>
  )
}
