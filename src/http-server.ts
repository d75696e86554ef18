/** The app behind node:http. */
import { createServer, type Server, type ServerResponse } from "node:http";
import { createAdaptorServer, type Http2Bindings, type HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Logger } from "pino";
import { directBodyOf } from "./contract/direct-answer.js";

type Bindings = HttpBindings | Http2Bindings;

interface App {
  fetch(request: Request, env: Bindings): Response | Promise<Response>;
}

/** A server that does not listen yet. Bodies that write themselves go straight into the connection. */
export function createHttpServer(app: App, logger: Logger): Server {
  const fetch = async (request: Request, env: Bindings): Promise<Response> => {
    const response = await app.fetch(request, env);
    const body = directBodyOf(response);
    if (body === undefined) return response;
    // The server is made below, of version 1.1.
    const outgoing = env.outgoing as ServerResponse;
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    try {
      await body.writeTo(outgoing);
      outgoing.end();
    } catch (error) {
      if (!hasLeft(outgoing)) logger.error({ err: error }, "transfer broken off");
      outgoing.destroy();
    }
    return RESPONSE_ALREADY_SENT;
  };
  return createAdaptorServer({ fetch, createServer }) as Server;
}

/** Whether nobody is there any more to send to. */
const hasLeft = ({ destroyed, socket }: ServerResponse): boolean =>
  destroyed || socket?.destroyed !== false;
