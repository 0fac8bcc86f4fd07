// Sends the notices that are due in a process of its own; it can be told to die on the way.
import '../support/acting.ts';
import { closeDatabase, openDatabase } from '../../db/index.ts';
import { useConfig } from '../../src/lib/config.ts';
import { renderContent } from '../../src/notifier/render.ts';
import { webhookChannel } from '../../src/providers/webhook.ts';
import { useChannels } from '../../src/services/notices/channels.ts';
import { deliverDue } from '../../src/services/notices/deliveries.ts';
import { temporaryConfig } from '../support/server.ts';

const [file = '', folder = '', url = ''] = process.argv.slice(2);
useConfig(temporaryConfig({}, folder));
await openDatabase(file);
const channel = webhookChannel(true);
const addressOf = async (id: number) => JSON.stringify({ url: `${url}/user/${id}`, secret: 's' });
useChannels({ telegram: { channel, addressOf } }, channel);
await deliverDue(renderContent);
await closeDatabase();
console.log('sent');
