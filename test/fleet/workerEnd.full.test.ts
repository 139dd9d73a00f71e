// A scan worker that is told to end does, also where Redis is not there: it would wait for jobs that cannot end.

import test from 'ava';
import { freePort } from '../helpers/freePort.ts';
import { REDIS, startRedis } from '../helpers/redisServer.ts';
import { layOutFleet, READY } from './support/workers.ts';

const withRedis = REDIS === undefined ? test.skip : test;
const NO_SERVER = 'http://127.0.0.1:1';
const AWAY = /Redis cannot be reached/;

test('a signal to end before Redis was ever there', async (t) => {
  const url = `redis://127.0.0.1:${await freePort()}`;
  const worker = layOutFleet(t, { url, password: 'none' }, NO_SERVER).startWorker({ asIs: true });
  await worker.says(AWAY);
  t.is(await worker.end(), 0);
});

withRedis('a signal to end when Redis has gone', async (t) => {
  const redis = await startRedis(t);
  const worker = layOutFleet(t, redis, NO_SERVER).startWorker({ asIs: true });
  await worker.says(READY);
  await redis.kill();
  await worker.says(AWAY);
  t.is(await worker.end(), 0);
});
