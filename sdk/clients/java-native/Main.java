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
import org.openapitools.client.api.AuthApi.APIIssueTokenRequest;
import org.openapitools.client.api.CataloguesApi.APICreateStacCatalogueRequest;
import org.openapitools.client.api.SearchApi.APISearchDataRequest;
import org.openapitools.client.api.SearchApi.APISearchMetadataRequest;
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
        return lines(search.searchData(APISearchDataRequest.newBuilder()
            .flavour("user").uniqKey(UniqKey.FILE).project(PROJECT).model(MODEL).build()));
    }

    public static void main(String[] args) throws Exception {
        ApiClient client = new ApiClient();
        client.updateBaseUri(System.getenv("SDK_SERVER"));
        SearchApi search = new SearchApi(client);
        var overview = search.getOverview();
        var files = search.searchData(APISearchDataRequest.newBuilder()
            .flavour("cmip6").uniqKey(UniqKey.FILE)
            .experimentId(EXPERIMENTS).variableId(VARIABLES).build());
        var counts = search.searchMetadata(APISearchMetadataRequest.newBuilder()
            .flavour("cmip6").uniqKey(UniqKey.FILE)
            .experimentId(EXPERIMENTS).variableId(VARIABLES).build());
        var archive = new CataloguesApi(client).createStacCatalogue(
            APICreateStacCatalogueRequest.newBuilder()
                .flavour("cmip6").uniqKey(UniqKey.FILE)
                .experimentId(EXPERIMENTS).variableId(VARIABLES).build());
        byte[] bytes = Files.readAllBytes(archive.toPath());
        Files.delete(archive.toPath());
        Files.write(Path.of("stac.zip"), bytes);

        AuthApi auth = new AuthApi(client);
        Token first = auth.issueToken(APIIssueTokenRequest.newBuilder()
            .username(System.getenv("SDK_USERNAME")).password(System.getenv("SDK_PASSWORD")).build());
        Token token = auth.issueToken(
            APIIssueTokenRequest.newBuilder().refreshToken(first.getRefreshToken()).build());
        ApiClient signedIn = new ApiClient();
        signedIn.updateBaseUri(System.getenv("SDK_SERVER"));
        signedIn.setRequestInterceptor(request ->
            request.header("Authorization", "Bearer " + token.getAccessToken()));
        var status = new AuthApi(signedIn).tokenStatus();

        UserDataApi userData = new UserDataApi(signedIn);
        var added = userData.addUserData(new UserDataRequest()
            .userMetadata(List.of(entry(KEPT), entry(DELETED)))
            .facets(Map.of("product", "output")));
        var found = mine(search);
        var deleted = userData.deleteUserData(Map.of("file", DELETED));
        var left = mine(search);

        Problem problem = null;
        try {
            search.searchData(APISearchDataRequest.newBuilder().flavour("cmip6")
                .uniqKey(UniqKey.FILE).time(List.of("tomorrow")).build());
        } catch (ApiException refused) {
            if (refused.getCode() != 422) throw refused;
            problem = client.getObjectMapper().readValue(refused.getResponseBody(), Problem.class);
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
        System.out.println(client.getObjectMapper().writeValueAsString(report));
    }
}
