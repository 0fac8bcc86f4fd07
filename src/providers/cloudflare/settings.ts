import { z } from 'zod';
import { malformed, mustBe } from './answers.ts';
import { path, type Client } from './client.ts';

/** The settings of a zone that are read and written. */
export type SettingId = 'tls_1_3' | 'security_level' | 'ech';

/** A setting as it is now; one that is not `editable` is fixed by the zone's plan. */
const Setting = z.object({ id: z.string(), value: z.string(), editable: z.boolean().default(true) });
export type Setting = z.infer<typeof Setting>;

/** The settings of a login's zones. */
export function settingsOf(client: Client) {
  return {
    async getSetting(zoneId: string, id: SettingId): Promise<Setting> {
      const setting = await client.get(path`/zones/${zoneId}/settings/${id}`, Setting);
      mustBe('setting', id, setting.id);
      return setting;
    },

    /** Idempotent. Throws `malformed` if Cloudflare reports success, but another value. */
    async setSetting(zoneId: string, id: SettingId, value: string): Promise<Setting> {
      const setting = await client.send('PATCH', path`/zones/${zoneId}/settings/${id}`, Setting, { value });
      mustBe('setting', id, setting.id);
      if (setting.value !== value) throw malformed(`${id} was to be ${value}, and is ${setting.value}`);
      return setting;
    },
  };
}
