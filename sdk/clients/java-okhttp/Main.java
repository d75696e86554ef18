import com.google.gson.Gson;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.AuthApi;
import org.openapitools.client.api.CataloguesApi;
import org.openapitools.client.api.SearchApi;
import org.openapitools.client.api.UserDataApi;
import org.openapitools.client.model.Problem;
import org.openapitools.client.model.Token;
import org.openapitools.client.model.UniqKey;
import org.openapitools.client.model.UserDataRequest;
import org.openapitools.client.model.UserMetadataEntry;

public class Main {
    static final List<String> EXPERIMENTS = List.of("historical");
    static final List<String> VARIABLES = List.of("tas", "pr");
    static final List<String> PROJECT = List.of(System.getenv("SDK_PROJECT"));
    static final List<String> MODEL = List.of("my-model");
    static final String KEPT = System.getenv("SDK_FILES") + "/kept.nc";
    static final String DELETED = System.getenv("SDK_FILES") + "/deleted.nc";

    static List<String> lines(String text) {
        return text.lines().filter(line -> !line.isEmpty()).collect(Collectors.toList());
    }

    static UserMetadataEntry entry(String file) {
        Map<String, Object> run = Map.of(
            "seed", 7, "ratio", 0.25, "tags", List.of("a", "b"), "final", true);
        return new UserMetadataEntry()._file(file).variable(VARIABLES).time("1985 to 1989")
            .timeFrequency("mon").bbox("-10,30,35,70").project(PROJECT).model(MODEL)
            .extra(Map.of(
                "additional_info", "bias adjusted: \"äöü\"", "modle", "no misspelling here",
                "run", run));
    }

    static List<String> mine(SearchApi search) throws ApiException {
        return lines(search.searchData("user", UniqKey.FILE)
            .project(PROJECT).model(MODEL).execute());
    }

    public static void main(String[] args) throws Exception {
        ApiClient client = new ApiClient();
        client.setBasePath(System.getenv("SDK_SERVER"));
        SearchApi search = new SearchApi(client);
        var overview = search.getOverview().execute();
        var files = search.searchData("cmip6", UniqKey.FILE)
            .experimentId(EXPERIMENTS).variableId(VARIABLES).execute();
        var counts = search.searchMetadata("cmip6", UniqKey.FILE)
            .experimentId(EXPERIMENTS).variableId(VARIABLES).execute();
        var archive = new CataloguesApi(client).createStacCatalogue("cmip6", UniqKey.FILE)
            .experimentId(EXPERIMENTS).variableId(VARIABLES).execute();
        byte[] bytes = Files.readAllBytes(archive.toPath());
        Files.delete(archive.toPath());
        Files.write(Path.of("stac.zip"), bytes);

        AuthApi auth = new AuthApi(client);
        Token first = auth.issueToken().username(System.getenv("SDK_USERNAME"))
            .password(System.getenv("SDK_PASSWORD")).execute();
        Token token = auth.issueToken().refreshToken(first.getRefreshToken()).execute();
        ApiClient signedIn = new ApiClient();
        signedIn.setBasePath(System.getenv("SDK_SERVER"));
        signedIn.setBearerToken(token.getAccessToken());
        var status = new AuthApi(signedIn).tokenStatus().execute();

        UserDataApi userData = new UserDataApi(signedIn);
        var added = userData.addUserData(new UserDataRequest()
            .userMetadata(List.of(entry(KEPT), entry(DELETED)))
            .facets(Map.of("product", "output"))).execute();
        var found = mine(search);
        var deleted = userData.deleteUserData(Map.of("file", DELETED)).execute();
        var left = mine(search);

        Problem problem = null;
        try {
            search.searchData("cmip6", UniqKey.FILE).time(List.of("tomorrow")).execute();
        } catch (ApiException refused) {
            if (refused.getCode() != 422) throw refused;
            problem = Problem.fromJson(refused.getResponseBody());
        }

        Map<String, Object> report = new LinkedHashMap<>();
        report.put("flavours",
            overview.getFlavours());
        report.put("facets_of_cmip6", overview.getAttributes().get("cmip6"));
        report.put("files", lines(files));
        report.put("total", counts.getTotalCount());
        report.put("variables", counts.getFacets().get("variable_id"));
        report.put("archive", bytes.length);
        report.put("email", status.getEmail());
        report.put("renewed", !token.getRefreshToken().equals(first.getRefreshToken()));
        report.put("added", added.getStatus());
        report.put("found", found);
        report.put("deleted", deleted.getStatus());
        report.put("left", left);
        report.put("problem", Map.of(
            "type", problem.getType(), "status", problem.getStatus(), "detail", problem.getDetail(),
            "errors", problem.getErrors().stream().map(each -> Map.of(
                "name", each.getName(), "location", each.getLocation().getValue(),
                "reason", each.getReason()))
                .collect(Collectors.toList())));
        System.out.println(new Gson().toJson(report));
        // The threads of okhttp would keep it for a minute.
        System.exit(0);
    }
}
