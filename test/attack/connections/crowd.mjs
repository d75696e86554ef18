/**
 * Many clients of a service, in a process of their own so that the service is all that is measured in the other one.
 * It is told what to do by messages {kind, ...} and answers each with one.
 */
import { get } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const { address, prefix } = JSON.parse(process.argv[2]);
const { hostname, port } = new URL(address);

const dial = () =>
  new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.once("connect", () => resolve(socket)).on("error", () => resolve(socket));
  });

const asked = (path, headers = {}) => {
  const lines = Object.entries({ Host: "x", ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return `GET ${prefix}${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`;
};

/** Milliseconds that pings take, one after the other, until `end` is called. */
function pings() {
  const times = [];
  let isOver = false;
  const going = (async () => {
    while (!isOver) {
      const began = performance.now();
      await new Promise((resolve) => {
        get(`${address}${prefix}/ping`, { agent: false }, (response) => {
          response.resume().on("close", resolve);
        }).on("error", resolve);
      });
      times.push(performance.now() - began);
      await sleep(10);
    }
  })();
  return async () => {
    isOver = true;
    await going;
    times.sort((a, b) => a - b);
    return { pings: times.length, p99: times[Math.floor(times.length * 0.99)] };
  };
}

let pinging;

const work = {
  /** Begins, or ends, to ping. */
  pings() {
    const end = pinging;
    pinging = end === undefined ? pings() : undefined;
    return end?.() ?? {};
  },

  /** Clients that send a byte now and then. @returns how each ended, and the most that one was borne */
  async senders({ count, messages, every }) {
    const end = pings();
    const ends = {};
    let longest = 0;
    const one = async (message, i) => {
      // A connection is accepted in its turn: they come as fast as one process takes them.
      await sleep(5 * i);
      const socket = await dial();
      const began = performance.now();
      let heard = "";
      socket.write(message.text.slice(0, message.atOnce));
      let sent = message.atOnce;
      socket.on("data", (piece) => {
        heard += piece.toString("latin1");
      });
      const timer = setInterval(() => {
        const rest = message.text.slice(sent, sent + 1) || "x";
        sent += 1;
        if (!socket.destroyed) socket.write(rest);
      }, every);
      await new Promise((resolve) => socket.once("close", resolve));
      clearInterval(timer);
      longest = Math.max(longest, performance.now() - began);
      const how = heard.slice(9, 12) || "closed";
      ends[how] = (ends[how] ?? 0) + 1;
    };
    await Promise.all(
      Array.from({ length: count }, (_, i) => one(messages[i % messages.length], i)),
    );
    return { ends, longest, ...(await end()) };
  },

  /** Requests that are cancelled after so many milliseconds, some at a time. */
  async cancelled({ requests, atOnce, headers }) {
    const end = pings();
    const left = [...requests];
    const one = async () => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) {
        const socket = await dial();
        socket.write(asked(next.path, headers));
        socket.resume();
        await sleep(next.after);
        socket.destroy();
      }
    };
    await Promise.all(Array.from({ length: atOnce }, one));
    return end();
  },
};

process.on("message", async ({ kind, ...rest }) => process.send(await work[kind](rest)));
process.on("disconnect", () => process.exit());
